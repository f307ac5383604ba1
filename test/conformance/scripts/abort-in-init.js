// The init code ends the test.
import exec from 'k6/execution';

exec.test.abort('no data');

export default function () {}
