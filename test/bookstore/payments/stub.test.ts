import { afterEach, describe, expect, it } from 'vitest';
import { paymentGateway } from '../../../bookstore/payments/gateway.ts';
import { type PaymentStub, type PaymentStubOptions, startPaymentStub } from '../../../bookstore/payments/stub.ts';
import { POLL } from '../../support/bookstore.ts';
import { client } from '../../support/http.ts';

const open: PaymentStub[] = [];
afterEach(async () => {
  for (const stub of open.splice(0)) await stub.close();
});
async function start(options: PaymentStubOptions = {}): Promise<PaymentStub> {
  const stub = await startPaymentStub(options);
  open.push(stub);
  return stub;
}

describe('payment stub', () => {
  it('charges, counts, and says who it is', async () => {
    const stub = await start();
    const api = client(stub.url);
    const answer = await api.send('POST', '/v1/charges', { orderId: 1, amount: 99.9, currency: 'EUR' });
    expect([answer.status, answer.body]).toEqual([201, { id: 'ch_1', status: 'succeeded' }]);
    await api.send('POST', '/v1/charges', { orderId: 1, amount: 0.1, currency: 'EUR' });
    expect((await api.get('/stats')).body).toEqual({
      service: 'bookstore-load-payment-stub',
      received: 2,
      charged: 2,
      failed: 0,
      slowed: 0,
      abandoned: 0,
      repeated: 1,
      amount: 100,
    });
    expect((await api.send('POST', '/v1/charges', { orderId: 'x' })).status).toBe(400);
    expect(stub.stats().received).toBe(2);
    await api.close();
  });

  it('fails the share asked for', async () => {
    let n = 0;
    const stub = await start({ errorShare: 0.05, random: () => (n++ % 100) / 100 });
    const gateway = paymentGateway(stub.url, 5_000);
    const results: boolean[] = [];
    // Three draws a charge from a source that steps through 0.00 ... 0.99: the third draw meets each of the hundred
    // values once in a hundred charges (3 and 100 have no common divisor), five of them below 0.05.
    for (let orderId = 1; orderId <= 100; orderId++) results.push(await gateway.charge({ orderId, amountCents: 100 }));
    expect(results.filter((ok) => !ok)).toHaveLength(5);
    expect(stub.stats()).toMatchObject({ received: 100, charged: 95, failed: 5 });
    expect(gateway.counts).toEqual({ sent: 100, accepted: 95, refused: 5, timedOut: 0, failed: 0 });
    await gateway.close();
  });

  it('takes its time, and a client that waits less gives up', async () => {
    const stub = await start({ minDelayMs: 100, slowShare: 1, slowMs: 200 });
    const gateway = paymentGateway(stub.url, 150);
    expect(await gateway.charge({ orderId: 1, amountCents: 1 })).toBe(false);
    expect(gateway.counts.timedOut).toBe(1);
    await expect.poll(() => stub.stats(), POLL).toMatchObject({ charged: 1, abandoned: 1, slowed: 1 });
    await gateway.close();
    const patient = paymentGateway(stub.url, 5_000);
    const started = performance.now();
    expect(await patient.charge({ orderId: 2, amountCents: 1 })).toBe(true);
    expect(performance.now() - started).toBeGreaterThanOrEqual(299);
    await patient.close();
  });

  it('refuses delays that make no range', async () => {
    await expect(startPaymentStub({ minDelayMs: 300, maxDelayMs: 100 })).rejects.toThrow('below the minimum');
  });
});

describe('gateway', () => {
  it('fails the charge, not the caller, when nobody is there, and takes no stranger for a stub', async () => {
    const stub = await startPaymentStub();
    const gateway = paymentGateway(`${stub.url}/`, 1_000);
    expect(await gateway.look()).toEqual({ kind: 'stub', answers: true });
    await stub.close();
    expect(await gateway.charge({ orderId: 1, amountCents: 1 })).toBe(false);
    expect(gateway.counts).toMatchObject({ sent: 1, failed: 1 });
    // Known by its URL: a stub that is down for a moment is still no real provider.
    expect(await gateway.look()).toEqual({ kind: 'stub', answers: false });
    const unknown = paymentGateway(stub.url, 1_000);
    expect((await unknown.look()).kind).toBe('provider');
    await gateway.close();
    await unknown.close();
  });
});
