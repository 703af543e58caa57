import type { Definition } from '../../src/engine/definitions/definition';

/** Marks a log, or a day with such logs, as the definition marks their rows in lists. */
export function OverlapMark({ definition }: { definition: Definition }) {
  const { highlight } = definition.list;
  return (
    highlight && (
      <span className="chip timesheet-mark" data-tone={highlight.tone}>
        <span>{highlight.label}</span>
      </span>
    )
  );
}
