import { check, group } from 'k6';
export const options = {
  vus: 1,
  iterations: 2,
  thresholds: { 'checks{check:odd}': ['rate==0.5'], 'group_duration{group:::outer}': ['max<5000'] },
};
export default function () {
  const value = group('outer', () => {
    check(null, { always: true });
    return group('inner', () => check(__ITER, { odd: (n) => n % 2 === 1, always: () => true }, { flow: 'f' }));
  });
  console.log(`checked ${value}`);
  try {
    check(1, {
      thrower: () => {
        throw new Error('inside');
      },
    });
  } catch (error) {
    console.log(error.message);
  }
}
