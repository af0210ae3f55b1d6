/** A registrant as an input of the graph. */
export const ada = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.org',
  phone: '+49 30 123456',
  address: { line1: 'Musterweg 1', city: 'Berlin', zipCode: '10115', country: 'DE' },
};
