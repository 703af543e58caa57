/** The event name that says that somebody came to a record or went; its id is the place, such as `songs/7`. */
export const presenceEvents = 'presence';

/** The first key of queries about who is at a place: a record, such as `songs/7`, or any of a resource, `songs`. */
export const presenceKey = (location: string) => `${presenceEvents} ${location}`;
