import type { Module } from '../../../src/engine/studio/module';
import '../../../src/app/chips/chips.css';

/** Where a module comes from, and what is to be done about it. `drafted`: the reader left a draft of it. */
export function OriginChips({ module, drafted }: { module: Module; drafted: boolean }) {
  return (
    <span className="studio-chips">
      {module.retired ? (
        <span className="chip" data-tone="high">
          <span>Retired</span>
        </span>
      ) : (
        <span className="chip" data-tone={originOf(module).tone}>
          <span>{originOf(module).label}</span>
        </span>
      )}
      {module.upgrade && (
        <span className="chip" data-tone="urgent">
          <span>Upgrade waits</span>
        </span>
      )}
      {drafted && (
        <span className="chip" data-tone="medium">
          <span>Draft</span>
        </span>
      )}
    </span>
  );
}

function originOf({ origin, customised }: Module) {
  if (origin === 'custom') return { label: 'Custom', tone: 'violet' };
  return customised ? { label: 'Changed', tone: 'info' } : { label: 'Shipped', tone: undefined };
}
