import { readPages } from "../../read-pages.js";

export default () => readPages(process.env.BENCH_CONTENT);
