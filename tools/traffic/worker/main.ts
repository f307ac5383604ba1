/** Entry of the parser's worker thread: a file of its own in the build. */
import { serve } from '../pass/parse-worker.ts';

serve();
