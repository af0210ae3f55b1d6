/** The values that features add to enums of others, with their descriptions, by the enum. The list of features adds them. */
const added = new Map<string, Readonly<Record<string, string>>>();

export const addEnumValues = (name: string, values: Readonly<Record<string, string>>): void =>
  void added.set(name, { ...added.get(name), ...values });

export const addedEnumValues = (name: string): Readonly<Record<string, string>> =>
  added.get(name) ?? {};
