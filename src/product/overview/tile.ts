/** A count above the charts of an analytics screen. */
export interface Tile {
  readonly key: string;
  readonly label: string;
  readonly count: number;
}
