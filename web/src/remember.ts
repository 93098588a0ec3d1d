// Choices that a person makes once for all pages. A browser may refuse to keep them.

export function remembered(name: string, otherwise: string): string {
  try {
    return localStorage.getItem(`cameo-view-${name}`) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`cameo-view-${name}`, value);
  } catch {
    return;
  }
}
