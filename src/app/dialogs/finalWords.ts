/** Said before a deletion that nobody can take back. */
export const finalWords = 'This cannot be undone.';
