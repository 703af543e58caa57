/** The shipped states of a user. Only the first one signs in. */
export const active = 1;
export const invited = 4;
