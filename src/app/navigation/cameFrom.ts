/** The page that led to a form, and to which it returns. */
export interface CameFrom {
  /** A path. */
  readonly from: string;
  /** Its name in links; without one it is the page of the record. */
  readonly label?: string;
}
