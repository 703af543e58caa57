/** The fewest and the most characters of a password, after normalisation. */
export const shortestPassword = 8;
export const longestPassword = 256;

/** What is said of a short password that is too easy to guess: what makes a good one of it. */
export const passwordMessage = 'Password:8+ chars,1 upper,1 lower,1 digit,1 special.';

/** What the message asks for, in any script. */
export const specialMix = /^(?=.*\p{Lu})(?=.*\p{Ll})(?=.*\d)(?=.*[^\p{L}\p{N}])[\s\S]{8,}$/u;
