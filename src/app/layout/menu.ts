/** An entry of the side menu: a path of the application. */
export interface MenuItem {
  to: string;
  label: string;
  /** One of `iconNames`. */
  icon: string;
  /** A count at the entry's end, such as unread notifications. */
  count?: number;
}

/** A group of entries. Without a label it has no heading. */
export interface MenuGroup {
  label?: string;
  /** The group's icon in the folded menu. */
  icon?: string;
  items: MenuItem[];
  /** Collapsed at first, with the number of its entries. */
  collapsed?: boolean;
}

/** The entry of a path: the one with the longest matching path. */
export function activeItem(groups: MenuGroup[], path: string): MenuItem | undefined {
  return groups
    .flatMap((group) => group.items)
    .filter(({ to: itemPath }) => path === itemPath || path.startsWith(`${itemPath}/`))
    .sort((first, second) => second.to.length - first.to.length)[0];
}
