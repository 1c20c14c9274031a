// Package webhook tells an address outside what alerts there are: each
// alert_raised and alert_cleared of every hall is posted there as signed JSON,
// at least once and in the order of its hall. It follows the Standard Webhooks
// specification, 1.0.0.
package webhook
