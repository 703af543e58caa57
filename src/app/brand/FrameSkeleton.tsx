import { Logo } from './Logo';
import './frame-skeleton.css';

/**
 * The frame of the application while it loads. `index.html` contains the same markup, shown before any script: keep the
 * two in sync.
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
