import NetworkMeasurement
import TestSupport

// The steps of a transfer.

extension Simulation {
  func advance(_ transfer: Transfer) {
    let host = transfer.feed.host
    switch transfer.step {
    case .send(var message):
      if message.kind == .handshake, message.timeout == 1 { transfer.handshakeAt = now }
      if message.kind == .handshake, host.kind == .blackHole { return transfer.step = .never }
      guard let through = link.up(message.up, at: now) else {
        return again(transfer, &message)
      }
      transfer.step = .reply(message)
      at(through + link.state(at: now).roundTrip / 2 + message.path, .step(transfer))
    case .reply(var message):
      let state = link.state(at: now)
      let down = link.down(message.down, at: now)
      let isLost = state.loss > 0 && random.unit() < state.loss
      guard let down, !isLost else { return again(transfer, &message) }
      let half = state.roundTrip / 2
      if message.kind == .tls || message.kind == .oldTLS {
        deliveries.append(
          Delivery(
            start: down.start + half, finish: down.finish + half, bytes: down.taken,
            transfer: transfer))
      }
      transfer.step = .delivered(message)
      at(down.finish + half, .step(transfer))
    case .delivered(let message):
      transfer.heardAt = now
      switch message.kind {
      case .lookup:
        if host.kind == .unknown { return end(transfer, .unresolved(host: "\(transfer.id)")) }
      case .handshake:
        hear()
        controller.observed(.connected(now - transfer.handshakeAt), by: transfer.id, at: now)
      case .tls, .oldTLS: break
      }
      if transfer.messages.isEmpty {
        transfer.step = .request(timeout: 1)
      } else {
        transfer.step = .send(transfer.messages.removeFirst())
      }
      advance(transfer)
    case .request(let timeout):
      if timeout == 1 { controller.observed(.requesting, by: transfer.id, at: now) }
      guard let through = link.up(600, at: now) else {
        transfer.step = .request(timeout: timeout * 2)
        return at(now + timeout, .step(transfer))
      }
      if host.kind == .hangs { return transfer.step = .never }
      transfer.step = .body
      at(
        through + link.state(at: now).roundTrip / 2 + host.path + transfer.feed.think,
        .step(transfer))
    case .body: sendBody(transfer)
    case .received(let taken, let wasLost, let next): receive(transfer, taken, wasLost, next)
    case .never: break
    }
  }

  func again(_ transfer: Transfer, _ message: inout Transfer.Message) {
    let wait = message.timeout
    message.timeout *= 2
    transfer.step = .send(message)
    at(now + wait, .step(transfer))
  }

  func sendBody(_ transfer: Transfer) {
    if transfer.isPaused { return at(now + 0.25, .step(transfer)) }
    let state = link.state(at: now)
    let size = min(transfer.left, transfer.window)
    guard let down = link.down(size, at: now) else {
      at(now + transfer.timeout, .step(transfer))
      transfer.timeout = min(transfer.timeout * 2, 32)
      transfer.window = 2 * Transfer.packet
      transfer.slowStartEnds = 4 * Transfer.packet
      return
    }
    transfer.timeout = 1
    let half = state.roundTrip / 2
    deliveries.append(
      Delivery(
        start: down.start + half, finish: down.finish + half, bytes: down.taken,
        transfer: transfer))
    let wasLost =
      down.taken < size
      || (state.loss > 0
        && random.unit() < 1 - power(1 - state.loss, Double(down.taken) / Double(Transfer.packet)))
    let path = transfer.feed.host.path
    let next =
      wasLost
      ? down.finish + state.roundTrip + path
      : down.start + 0.5 * (down.finish - down.start) + state.roundTrip + path
    transfer.step = .received(taken: down.taken, wasLost: wasLost, next: next)
    at(down.finish + half, .step(transfer))
  }

  func receive(_ transfer: Transfer, _ taken: Int, _ wasLost: Bool, _ next: Double) {
    transfer.left -= taken
    if wasLost {
      transfer.slowStartEnds = max(2 * Transfer.packet, transfer.window / 2)
      transfer.window = transfer.slowStartEnds
    } else {
      let more = transfer.window < transfer.slowStartEnds ? transfer.window : Transfer.packet
      transfer.window = min(Transfer.largestWindow, transfer.window + more)
    }
    guard transfer.left > 0 else {
      if transfer.feed.priority > .userInitiated {
        transfer.feed.host.idle.append((now, transfer.window))
      }
      return end(transfer, .answered)
    }
    transfer.step = .body
    if next > now { at(next, .step(transfer)) } else { sendBody(transfer) }
  }

  /// Reports the bytes that sockets have received by now.
  func deliver() {
    while delivered < deliveries.count {
      var delivery = deliveries[delivered]
      guard delivery.start < now || delivery.finish <= now else { break }
      let isWhole = delivery.finish <= now
      let share = isWhole ? 1 : (now - delivery.start) / (delivery.finish - delivery.start)
      // Whole packets arrive.
      let packets = Int(share * Double(delivery.bytes)) / Transfer.packet * Transfer.packet
      let there = isWhole ? delivery.bytes : packets
      let transfer = delivery.transfer
      if there > delivery.told {
        let more = there - delivery.told
        delivery.told = there
        deliveries[delivered].told = there
        if !transfer.isOver { report(transfer, more) }
      }
      guard isWhole else { break }
      delivered += 1
    }
    if delivered > 512 {
      deliveries.removeFirst(delivered)
      delivered = 0
    }
  }

  func report(_ transfer: Transfer, _ bytes: Int) {
    transfer.received += bytes
    transfer.heardAt = now
    result.bytes += bytes
    hear()
    if case .received = transfer.step, !transfer.hasAnswer {
      transfer.hasAnswer = true
      controller.observed(.firstByte(now - transfer.startedAt), by: transfer.id, at: now)
    }
    controller.observed(.received(bytes), by: transfer.id, at: now)
  }

  func hear() { result.heard(at: now) }

  func power(_ base: Double, _ exponent: Double) -> Double {
    var product = 1.0
    for _ in 0..<Int(exponent.rounded(.up)) { product *= base }
    return product
  }
}
