export const data = {
  pagination: { data: "pages", size: 1, alias: "source" },
  permalink: ({ source }) => `api/v2/pages/${source.id}/index.json`,
  eleventyExcludeFromCollections: true,
};

export const render = ({ source }) => JSON.stringify(source);
