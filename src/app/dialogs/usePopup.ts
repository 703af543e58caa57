import { useState, type MouseEvent } from 'react';

/**
 * Opens a menu or a popover at the button that is clicked. `button` are properties of the button, `popup` of a `Menu` or
 * `Popover`, `and` makes a handler that closes it before it does something.
 *
 * @example
 * const menu = usePopup('menu');
 * <Button {...menu.button}>More</Button>
 * <Menu {...menu.popup}><MenuItem onClick={menu.and(rename)}>Rename</MenuItem></Menu>
 */
export function usePopup(kind: 'menu' | 'dialog') {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  return {
    /** The element beside which it opens; null: it is closed. */
    anchor,
    close,
    and: (run: () => void) => () => {
      close();
      run();
    },
    button: {
      'aria-haspopup': kind,
      'aria-expanded': anchor !== null,
      onClick: ({ currentTarget }: MouseEvent<HTMLElement>) => setAnchor(currentTarget),
    },
    popup: { open: anchor !== null, anchorEl: anchor, onClose: close },
  };
}
