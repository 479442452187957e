declare module "undici/lib/web/fetch/constants.js" {
  const constants: { badPortsSet: ReadonlySet<string> };
  export default constants;
}
