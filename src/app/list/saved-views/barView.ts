import type { SavedView } from './useSavedViews';

/** A view in the bar: saved by somebody, or of the definition. */
export interface BarView {
  /** As addresses name it. */
  readonly key: string;
  readonly label: string;
  readonly settings: SavedView['settings'];
  /** Undefined for one of the definition. */
  readonly record?: SavedView;
}
