/** A style sheet as a browser gets it: with everything that it imports, minified (`build/css.mjs`). */
declare module "*.css" {
  const text: string;
  export default text;
}
