export const options = { scenarios: { s: { executor: 'shared-iterations', maxVU: 3 } } };
export default function () {}
