/** The most files of one upload of results. */
export const maxResultFiles = 20;
/** The most bytes of each. Proxies in front of the program have to let all of them pass together (`deploy/`). */
export const maxResultFile = 100 * 1024 * 1024;
