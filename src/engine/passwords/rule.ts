/** The fewest and the most characters of a password, after normalisation. */
export const minPasswordLength = 8;
export const maxPasswordLength = 256;

/** The fewest characters where strong passwords are required. */
export const strongPasswordLength = 12;

/** Shown for a password that does not follow the rule. */
export const passwordMessage = 'Password:8+ chars,1 upper,1 lower,1 digit,1 special.';

/** Which passwords are accepted: those that follow the rule, or long ones that are hard to guess. */
export const passwordPolicies = ['rule', 'strong'] as const;
export type PasswordPolicy = (typeof passwordPolicies)[number];
