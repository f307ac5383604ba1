/** By this name in `GET /stats` the stub tells itself apart from a real provider. */
export const STUB_SERVICE = 'bookstore-load-payment-stub';
