export default undefined;
export const Ajv2020 = undefined;
