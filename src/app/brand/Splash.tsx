import { Logo } from './Logo';
import './brand.css';

/** What stands on the page while the application loads. */
export function Splash() {
  return (
    <div className="splash" role="status">
      <Logo size={40} />
      <span className="unseen">Loading…</span>
    </div>
  );
}
