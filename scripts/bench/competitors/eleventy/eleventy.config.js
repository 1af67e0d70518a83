export default function (config) {
  config.setQuietMode(true);
  config.setTemplateFormats(["11ty.js"]);
  config.setUseGitIgnore(false);
  return { dir: { input: "src", output: process.env.BENCH_OUTPUT } };
}
