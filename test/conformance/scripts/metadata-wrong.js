// What metadata and tags cannot be.
import exec from 'k6/execution';

export default function () {
  const attempt = (change) => {
    try {
      change();
      console.log('done');
    } catch (error) {
      console.log(error.name, error.message);
    }
  };
  attempt(() => {
    exec.vu.metrics.metadata.bad = {};
  });
  attempt(() => {
    exec.vu.metrics.metadata.number = 5;
    exec.vu.metrics.metadata.flag = true;
  });
  attempt(() => {
    exec.vu.metrics.metadata = { a: 1 };
  });
  attempt(() => {
    exec.vu.metrics.tags = { a: 1 };
  });
  console.log(Object.entries(exec.vu.metrics.metadata).map(String).sort().join());
}
