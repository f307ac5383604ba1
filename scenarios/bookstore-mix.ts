/** The traffic of the bookstore: browsing, searching and buying sessions arrive side by side, each flow at its own rate. */
import workload from '../data/workload.json';
import { browse as browseFlow, checkout as checkoutFlow, searching as searchFlow } from '../lib/flows.ts';
import { suite } from '../lib/suite.ts';

const mix = suite({
  name: 'bookstore-mix',
  workload,
  flows: { browse: browseFlow, search: searchFlow, checkout: checkoutFlow },
});

export const { options, setup, handleSummary } = mix;
export const browse = mix.session('browse');
export const search = mix.session('search');
export const checkout = mix.session('checkout');
