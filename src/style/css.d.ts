/** A style sheet as a browser gets it, which is minified and holds everything that it imports (`build/css.ts`). */
declare module "*.css" {
  const text: string;
  export default text;
}
