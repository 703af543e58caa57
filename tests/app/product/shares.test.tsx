import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { MemoryRouter } from 'react-router-dom';
import { LoadingNote } from '../../../custom-screens/run-overview/LoadingNote';
import type { Overview, OverviewRun } from '../../../custom-screens/run-overview/overviewApi';
import { RunCard } from '../../../custom-screens/run-overview/RunCard';
import { PartsList } from '../../../src/app/charts/PartsList';
import { PartsCell } from '../../../src/app/list/columns/PartsCell';
import { formatShare } from '../../../src/engine/formats/shares';
import { shippedDefinitions } from '../../support/definitions';

const none = { passed: 0, failed: 0, blocked: 0, skipped: 0, flaky: 0, not_run: 0 };
/** The shares that a text has: `99%`, `0.1%`. */
const sharesIn = (text: string | null) => text?.match(/[\d.]+%/g) ?? [];

describe('24,999 of 25,000 are not shown as 100 %, and 1 not as 0 %', () => {
  it('in how far a run is', () => {
    const progressOf = (counts: Partial<typeof none>) => {
      const overview = {
        ...{ counts: { ...none, ...counts }, total: 25_000, burndown: [], remaining_seconds: null, forecast_at: null },
      } as unknown as Overview;
      const run = { state: 'open', created_at: '2026-11-20T10:00:00Z' } as OverviewRun;
      const { container, unmount } = render(<RunCard run={run} overview={overview} entries={[]} />);
      const shares = sharesIn(container.textContent);
      unmount();
      return shares;
    };
    expect(progressOf({ passed: 24_999, not_run: 1 })).toEqual(['99%']);
    expect(progressOf({ failed: 1, not_run: 24_999 })).toEqual(['1%']);
    expect(progressOf({ passed: 25_000 })).toEqual(['100%']);
  });

  it('beside the parts of a ring', () => {
    const data = {
      labels: ['Passed', 'Failed'],
      series: [{ key: 'tests', label: 'Tests', values: [24_999, 1], colour: 'control' as const }],
    };
    const { container } = render(
      <MemoryRouter>
        <PartsList data={data} />
      </MemoryRouter>,
    );
    expect([...container.querySelectorAll('em')].map(({ textContent }) => textContent)).toEqual(['99.9%', '0.1%']);
  });

  it('in the progress of a run in a list', () => {
    const definition = shippedDefinitions().find(({ name }) => name === 'test-runs')!;
    const { parts } = definition.list.columns.find(({ parts: own }) => own)!;
    const progressOf = (record: object) => {
      const { container, unmount } = render(
        <PartsCell parts={parts!} definition={definition} record={{ id: 1, ...record }} />,
      );
      const shares = sharesIn(container.textContent);
      unmount();
      return shares;
    };
    expect(progressOf({ passed: 24_999, not_run: 1 })).toEqual(['99%']);
    expect(progressOf({ passed: 1, not_run: 24_999 })).toEqual(['1%']);
    expect(progressOf({ passed: 25_000 })).toEqual(['100%']);
    expect(progressOf({ not_run: 25_000 })).toEqual(['0%']);
  });

  it('on tiles', () => {
    expect([formatShare(24_999, 25_000), formatShare(1, 25_000), formatShare(24_999, 25_000, 1)]).toEqual([
      '99%',
      '1%',
      '99.9%',
    ]);
  });
});

describe('a run that is being loaded', () => {
  const part = { part: 'unit', tests: 20_000, stored: 8_000, is_interrupted: false };

  it('says how many results are there', () => {
    const { container } = render(<LoadingNote parts={[part]} />);
    expect(container.textContent).toBe('Results of unit are being loaded: 8,000 of 20,000 tests.');
  });

  it('says that the rest has to be sent again after an interruption', () => {
    const { container } = render(<LoadingNote parts={[{ ...part, part: null, is_interrupted: true }]} />);
    expect(container.textContent).toBe(
      'Results are not complete: their upload was interrupted after 8,000 of 20,000 tests. Send them again.',
    );
  });

  it('says nothing once all of them are there', () => {
    expect(render(<LoadingNote parts={[]} />).container.innerHTML).toBe('');
  });
});
