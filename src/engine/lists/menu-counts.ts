/** The most that a count beside an entry of the menu says; one more stands for any larger number. */
export const mostCounted = 99;
