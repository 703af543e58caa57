/** The shipped states of a user. Only the first one signs in. */
export const activeStatus = 1;
export const invitedStatus = 4;
