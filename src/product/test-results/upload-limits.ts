/** The most files of one upload of results. */
export const maxResultFiles = 2_000;
/** The most bytes of each. */
export const maxResultFile = 100 * 1024 * 1024;
/** The most bytes of all together. Proxies in front of the program have to let them pass (`deploy/`). */
export const maxResultBytes = 20 * maxResultFile;
/** The most files that come beside the reports, which name them by their paths. */
export const maxAttachments = 300;
/** How many files the attempts of one upload keep, and their bytes. */
export const maxEvidenceFiles = 2_000;
export const maxEvidenceBytes = 500 * 1024 * 1024;
