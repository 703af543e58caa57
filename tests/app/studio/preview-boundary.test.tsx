import { render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { PreviewBoundary } from '../../../src/app/studio/preview/PreviewScene';

function Drawing({ breaks }: { breaks: boolean }) {
  if (breaks) throw new Error('This cannot be drawn.');
  return <p>The list and the form</p>;
}

const preview = (draft: number, breaks: boolean) => (
  <>
    <p>The editor</p>
    <PreviewBoundary attempt={draft}>
      <Drawing breaks={breaks} />
    </PreviewBoundary>
  </>
);

it('the preview says that a draft could not be drawn, leaves the editor alone, and draws the next one', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { rerender } = render(preview(1, false));
  rerender(preview(2, true));
  expect(screen.getByRole('alert').textContent).toContain('The preview could not be shown');
  expect(screen.getByText('The editor')).toBeTruthy();
  rerender(preview(2, false));
  expect(screen.queryByText('The list and the form')).toBeNull();
  rerender(preview(3, false));
  expect(screen.getByText('The list and the form')).toBeTruthy();
});
