/** A style sheet as a browser gets it: minified, and with everything that it imports (`build/css.ts`). */
declare module "*.css" {
  const text: string;
  export default text;
}
