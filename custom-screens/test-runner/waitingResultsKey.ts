/** Where a browser keeps the results of a person that the server does not have yet; with '' what all their keys begin with. */
export const waitingResultsKey = (person: number | '') => `assay.results.${person}`;
