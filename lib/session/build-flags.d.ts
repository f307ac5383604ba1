/**
 * What the suite at hand uses: the build sets these from the suite's definition, and code for what it does not use folds away,
 * since each kilobyte of a bundle costs every VU ten. Without the build (a test, somebody's own bundle) they are not there, and
 * everything is.
 */
/** An endpoint follows redirects. */
declare const USES_REDIRECTS: boolean | undefined;
/** A pool gives each row one time, or one row after the other. */
declare const USES_ROWS_ONCE: boolean | undefined;
/** A workload leaves out what a CDN answers. */
declare const USES_CDN_SHARE: boolean | undefined;
/** Requests carry no cookies. */
declare const USES_NO_COOKIES: boolean | undefined;
/** Help texts are for people: in bundles they fold away. */
declare const BUNDLED: boolean | undefined;
