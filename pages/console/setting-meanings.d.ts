/** What settings mean, by language: made by `vite.config.ts`. English has none. */
declare module '#setting-meanings' {
  const loaders: Readonly<Record<string, () => Promise<{ readonly default: Readonly<Record<string, string>> }>>>
  export default loaders
}
