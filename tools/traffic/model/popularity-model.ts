/** Popularity of the items of a log: the fit, its drift, and in words where the catalogue comes from. */
import { type Drift, popularityDrift } from '../fit/drift.ts';
import { fitPopularity, POPULARITY_MINIMUM, type PopularityFit } from '../fit/popularity-fit.ts';
import type { LogFacts } from '../pass/analyse-log.ts';
import { readableName } from '../templates/name-text.ts';

export interface ItemRank {
  readonly rank: number;
  readonly item: string;
  readonly views: number;
}

export type FittedPopularity = PopularityFit & {
  readonly endpoint: string;
  readonly drift?: Drift;
  readonly items?: readonly ItemRank[];
};
export type PopularityModel = FittedPopularity | { readonly refused: string };

/** A catalogue that is known without a log. */
export interface KnownCatalogue {
  /** Endpoint whose items it holds. */
  readonly endpoint: string;
  readonly items: number;
}

export interface PopularityModelOptions {
  /** Items that exist, as the user says. */
  readonly catalogue?: number;
  /** Taken when the log is of its endpoint and does not speak against it. */
  readonly knownCatalogue?: KnownCatalogue;
  /** Item ids are written out (digits only). */
  readonly items?: boolean;
  readonly replicates?: number;
}

const number = (n: number): string => n.toLocaleString('en-US');

export function popularityModel(facts: LogFacts, options: PopularityModelOptions): PopularityModel {
  const { items } = facts.pass.sessions;
  const endpoint = facts.learned.itemRoute;
  if (endpoint === undefined) return { refused: 'no GET endpoint has an item id last in its path' };
  const fit = fitPopularity([...items.counts.values()], {
    ...(options.catalogue === undefined ? {} : { catalogue: options.catalogue }),
    ...(endpoint === options.knownCatalogue?.endpoint ? { own: options.knownCatalogue.items } : {}),
    ...(options.replicates === undefined ? {} : { replicates: options.replicates }),
  });
  if (fit === undefined) {
    return {
      refused: `${items.views} views of ${items.counts.size} items; a law takes ${POPULARITY_MINIMUM} views of two items or more`,
    };
  }
  const drift = popularityDrift(items.early, items.recent);
  const ranks = [...items.counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 1000);
  return {
    ...fit,
    endpoint: readableName(endpoint),
    ...(drift === undefined ? {} : { drift }),
    ...(options.items === true
      ? { items: ranks.map(([item, views], i) => ({ rank: i + 1, item: item < 0 ? '(text)' : String(item), views })) }
      : {}),
  };
}

/** The catalogue's size and where it comes from, to stand after "catalogue of ". */
export function catalogueText(p: PopularityFit): string {
  const size = number(p.catalogue);
  switch (p.catalogueFrom) {
    case 'given':
      return `${size} (given)`;
    case 'suite':
      return `${size} (the suite's own)`;
    case 'at least':
      return `at least ${size}${p.catalogue === p.chao1 ? ' (Chao1)' : ''}`;
    case 'estimated': {
      const [low, high] = p.catalogueInterval ?? [p.catalogue, p.catalogue];
      if (low === high) return `${size} (estimated: all were seen)`;
      return `${size} (estimated, 95 % interval ${number(low)} ${high === null ? 'upwards' : `to ${number(high)}`})`;
    }
  }
}

/** What a user should know of the catalogue. */
export function popularityRemarks(p: PopularityModel): string[] {
  if ('refused' in p) return [];
  const remarks: string[] = [];
  const { catalogueRefused: refused } = p;
  if (refused?.from === 'given') {
    remarks.push(
      `--catalogue ${number(refused.items)} was not taken: the log has ${number(p.distinct)} different items; the catalogue is ${catalogueText(p)}`,
    );
  } else if (refused !== undefined) {
    remarks.push(
      p.distinct > refused.items
        ? `the suite's own catalogue of ${number(refused.items)} items was not taken: the log has ${number(p.distinct)} different ones; --catalogue tells how many exist`
        : `the suite's own catalogue of ${number(refused.items)} items was not taken: ${number(p.distinct)} different ones in ${number(p.views)} views speak for ${catalogueText(p)}; --catalogue tells how many exist`,
    );
  }
  if (p.catalogueFrom === 'at least') {
    remarks.push(
      `how many items exist cannot be told from this log (${p.powerLaw ? 'too few were seen twice' : 'the counts follow no law that would tell'}): ${number(p.catalogue)} is a lower bound, with which caches hit too often if there are more; --catalogue tells the number`,
    );
  }
  return remarks;
}
