import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { Icon } from '../../../src/app/icons/Icon';
import { iconNames, isIconName, platformIconNames } from '../../../src/app/icons/icons';

describe('icons', () => {
  it('draws every icon name', () => {
    for (const name of iconNames) {
      const { container, unmount } = render(<Icon name={name} />);
      expect(container.querySelector('path')?.getAttribute('d'), name).toMatch(/^M[\d\s.a-z,-]+$/i);
      unmount();
    }
    expect(platformIconNames.every(isIconName)).toBe(true);
    expect(isIconName('toString')).toBe(false);
  });

  it('is decoration without a label and an image with one', () => {
    render(<Icon name="bell" label="Unread" />);
    expect(screen.getByRole('img', { name: 'Unread' })).toBeTruthy();
    const { container } = render(<Icon name="bell" />);
    expect(container.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true');
  });

  it('keeps the layout for an unknown name', () => {
    const { container } = render(<Icon name="nobody-drew-this" />);
    expect(container.querySelector('path')?.getAttribute('d')).toBeTruthy();
  });
});
