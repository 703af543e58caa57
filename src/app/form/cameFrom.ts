/** What led to a form, and is returned to from it. */
export interface CameFrom {
  /** A path. */
  readonly from: string;
  /** What it is called; without one it is the page of the record. */
  readonly label?: string;
}
