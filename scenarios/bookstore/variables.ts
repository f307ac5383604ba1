/** Variables of the bookstore's own: what its pre-flight refuses unless it is declared. */
import type { SuiteDefinition } from '../../lib/plan/suite-definition.ts';

const declared = (help: string) =>
  ({ kind: 'choice', of: ['', 'declared'], default: '', defaultText: 'refused', help }) as const;

export const variables = {
  RATE_LIMITER: declared('`declared`: the rate limiter is on and that is meant.'),
  PAYMENTS: declared('`declared`: charges go to a real provider and that is meant.'),
  STOCK: declared('`declared`: stock will not last the run and that is meant; pre-flight then only warns.'),
} as const satisfies SuiteDefinition['variables'];
