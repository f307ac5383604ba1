/** k6's JSON lines: a `Metric` object when a metric is first seen, a `Point` for each sample. */
import type { Log } from '../log.ts';
import type { Metadata, Metric, TagSet } from '../metrics/types.ts';
import { rfc3339 } from './csv.ts';
import { fileWriter } from './file-writer.ts';
import type { Output } from './output.ts';

const FLUSH_MS = 200;

export function jsonOutput(path: string, log: Log): Output {
  const file = fileWriter(path, 'json', FLUSH_MS);
  const seen = new Set<number>();
  const tagTexts: string[] = [];
  return {
    sample(metric: Metric, time: number, value: number, tags: TagSet, metadata: Metadata | undefined) {
      if (!seen.has(metric.id)) {
        seen.add(metric.id);
        file.write(`${JSON.stringify(metricLine(metric))}\n`);
      }
      if (!Number.isFinite(value)) {
        log('error', 'Sample could not be marshalled to JSON', { metric: metric.name });
        return;
      }
      let tagText = tagTexts[tags.id];
      if (tagText === undefined) {
        tagText = JSON.stringify(tags.tags);
        tagTexts[tags.id] = tagText;
      }
      const extra = metadata === undefined ? '' : `,"metadata":${JSON.stringify(metadata)}`;
      const data = `{"time":"${rfc3339(time, 6)}","value":${value},"tags":${tagText}${extra}}`;
      file.write(`{"metric":"${metric.name}","type":"Point","data":${data}}\n`);
    },
    async close() {
      file.close();
    },
  };
}

/** Thresholds of sub-metrics are not in these lines, as in k6. */
function metricLine(metric: Metric) {
  return {
    type: 'Metric',
    data: {
      name: metric.name,
      type: metric.type,
      contains: metric.contains,
      thresholds: metric.thresholds.map((threshold) => threshold.source),
      submetrics:
        metric.submetrics.length === 0
          ? null
          : metric.submetrics.map(({ name, suffix, tags }) => ({ name, suffix, tags })),
    },
    metric: metric.name,
  };
}
