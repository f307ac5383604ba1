export const options = { scenarios: { s: { executor: 'shared-iterations', exec: 'nothing' } } };
export default function () {}
