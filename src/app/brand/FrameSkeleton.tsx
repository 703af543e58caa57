import { Logo } from './Logo';
import './frame-skeleton.css';

/**
 * The frame of the application while it loads. `index.html` has the same, which is there before any script: the two are
 * to look alike.
 */
export function FrameSkeleton() {
  return (
    <div className="frame-skeleton" role="status">
      <span className="unseen">Loading…</span>
      <div className="frame-skeleton-side">
        <Logo size={26} />
      </div>
      <div className="frame-skeleton-main">
        <div className="frame-skeleton-bar" />
      </div>
    </div>
  );
}
