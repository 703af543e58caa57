/** The fewest and the most characters of a password, after normalisation. */
export const minPasswordLength = 8;
export const maxPasswordLength = 256;

/** Shown for a short password that is easy to guess: how to improve it. */
export const passwordMessage = 'Password:8+ chars,1 upper,1 lower,1 digit,1 special.';

/** The mix of characters that the message asks for, in any script. */
export const mixedCharacters = /^(?=.*\p{Lu})(?=.*\p{Ll})(?=.*\d)(?=.*[^\p{L}\p{N}])[\s\S]{8,}$/u;
