/** An entry of the side menu: a path of the application. */
export interface MenuItem {
  to: string;
  label: string;
  /** One of `iconNames`. */
  icon: string;
  /** Shown at the entry's end, such as unread notifications. */
  count?: number;
}

/** A group of entries. Without a label its entries stand by themselves. */
export interface MenuGroup {
  label?: string;
  /** Stands for the whole group in the folded menu, where it is shut. */
  icon?: string;
  items: MenuItem[];
  /** Shut until somebody opens it, with the number of its entries. */
  collapsed?: boolean;
}

/** The entry that a path belongs to: the one whose own path reaches furthest along it. */
export function activeItem(groups: MenuGroup[], path: string): MenuItem | undefined {
  return groups
    .flatMap((group) => group.items)
    .filter(({ to }) => path === to || path.startsWith(`${to}/`))
    .sort((one, other) => other.to.length - one.to.length)[0];
}
